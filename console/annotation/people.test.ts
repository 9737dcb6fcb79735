import { describe, expect, it } from 'vitest';
import { chosenPeople } from './people.tsx';

describe('the people of a queue', () => {
  it('are those that were chosen, and stay as they are where they had not been loaded', () => {
    const values = new FormData();
    values.append('assignee', 'a');
    expect(chosenPeople(values)).toEqual({});
    values.append('people_known', 'yes');
    expect(chosenPeople(values)).toEqual({ assignee_ids: ['a'], reviewer_ids: [] });
  });
});

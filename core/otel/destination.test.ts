import { describe, expect, it } from 'vitest';
import { destinations } from './destination.ts';

const bag = (entries: Record<string, string>) => new Map(Object.entries(entries));
const NONE = bag({});
const named = (...names: string[]) => ({ by: 'name', names });
const identified = (id: string) => ({ by: 'id', id });
const stream = (reference: object) => ({ kind: 'log_stream', reference });

describe('where spans go', () => {
  it('is what the resource says, and where it says nothing what the headers say', () => {
    const getDestination = destinations({ project: 'demo', logstream: 'prod' }, ['eval.']);
    const resource = bag({ 'eval.project.name': 'lab', 'eval.logstream.name': 'try' });
    expect(getDestination(resource, NONE)).toEqual({ project: named('lab'), run: stream(named('try')) });
    expect(getDestination(NONE, NONE)).toEqual({ project: named('demo'), run: stream(named('prod')) });
    expect(getDestination(bag({ 'eval.project.name': 'lab' }), NONE)).toEqual({
      project: named('lab'),
      run: stream(named('prod')),
    });
  });

  it('may stand on the span, between resource and headers', () => {
    const getDestination = destinations({ project: 'demo' }, ['eval.']);
    const span = bag({ 'eval.project.id': 'p1', 'eval.experiment.id': 'e1' });
    expect(getDestination(NONE, span)).toEqual({
      project: identified('p1'),
      run: { kind: 'experiment', reference: identified('e1') },
    });
    expect(getDestination(bag({ 'eval.logstream.name': 'try' }), span).run).toEqual(stream(named('try')));
  });

  it('is an experiment rather than a log stream of the same place, and an id rather than a name', () => {
    const headers = { 'Project-Id': 'p1', project: 'demo', 'logstream-id': 'l1', logstream: 'prod', experimentid: 'e1' };
    const both = destinations(headers, ['eval.'])(NONE, NONE);
    expect(both).toEqual({ project: identified('p1'), run: { kind: 'experiment', reference: identified('e1') } });
    expect(destinations({ ...headers, experimentid: undefined }, ['eval.'])(NONE, NONE).run).toEqual(stream(identified('l1')));
  });

  it('is looked up as it was sent, then without percent escapes', () => {
    const of = (project: string) => destinations({ project }, ['eval.'])(NONE, NONE).project;
    expect(of('my%20shop')).toEqual(named('my%20shop', 'my shop'));
    expect(of('100%')).toEqual(named('100%'));
  });

  it('takes every prefix of ours, the first that is there', () => {
    const getDestination = destinations({}, ['eval.', 'vendor.']);
    expect(getDestination(bag({ 'vendor.project.name': 'a' }), NONE).project).toEqual(named('a'));
    expect(getDestination(bag({ 'vendor.project.name': 'a', 'eval.project.name': 'b' }), NONE).project).toEqual(named('b'));
  });

  it('is left to the caller when nothing is said, empty values included', () => {
    const getDestination = destinations({ project: ' ', logstream: [] }, ['eval.']);
    expect(getDestination(bag({ 'eval.project.name': '' }), NONE)).toEqual({ project: undefined, run: undefined });
  });
});

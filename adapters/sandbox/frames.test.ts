import { expect, it } from 'vitest';
import { FrameReader, frameHead } from './frames.ts';

const framed = (text: string): Buffer => Buffer.concat([frameHead(Buffer.byteLength(text)), Buffer.from(text)]);

it('finds the same frames however the stream is cut', () => {
  const stream = Buffer.concat(['one', '', 'three'.repeat(50)].map(framed));
  for (let size = 1; size <= stream.length; size += 1) {
    const reader = new FrameReader(1_000);
    const frames: string[] = [];
    for (let at = 0; at < stream.length; at += size) {
      frames.push(...reader.push(stream.subarray(at, at + size)).map((frame) => frame.toString()));
    }
    expect(frames).toStrictEqual(['one', '', 'three'.repeat(50)]);
  }
});

it('refuses a frame that is too long before it arrives', () => {
  expect(() => new FrameReader(10).push(frameHead(11))).toThrow('longer than 10');
});

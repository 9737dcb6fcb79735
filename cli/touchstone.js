#!/usr/bin/env node
// Plain JavaScript that any Node can read: it only says what is wrong when the Node at hand is too old for the rest.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 12)) {
  console.error(
    `touchstone needs Node 24.12 or newer, this is ${process.version}. "npx --package node@24 --package touchstone touchstone" brings one.`,
  );
  process.exit(2);
}
await import('./commands/main.ts');

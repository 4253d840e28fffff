// Plain JavaScript that any Node can read: says in one line what is needed, instead of a syntax error from the first TypeScript file.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `headroom needs Node.js 24 (22.18 at the least), this is ${process.versions.node}. ` +
      'npm ci brings Node.js 24 for Linux and macOS; elsewhere install it from https://nodejs.org/.\n',
  );
  process.exit(1);
}

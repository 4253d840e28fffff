/** For `node --import`: prints the process's peak memory, in kilobytes, as its last line on standard error. */
process.on('exit', () => process.stderr.write(`\npeak ${process.resourceUsage().maxRSS}\n`));

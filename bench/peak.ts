/** Loaded before a command with --import: prints the peak memory of the process when it exits. */
process.on('exit', () => {
  process.stderr.write(`peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`);
});

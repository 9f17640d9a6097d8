/** Loaded before a command with --import: says on its way out how much memory the whole process took. */
process.on('exit', () => {
  process.stderr.write(`peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`);
});

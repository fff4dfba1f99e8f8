import { dnsCheck } from './dnsCheck/command.ts';

// Whoever reads may have read enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await dnsCheck(process.argv.slice(2));

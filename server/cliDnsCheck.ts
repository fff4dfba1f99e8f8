import { dnsCheck } from './dnsCheck/command.ts';

process.exitCode = await dnsCheck(process.argv.slice(2));

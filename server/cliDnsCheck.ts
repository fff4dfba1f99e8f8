import { dnsCheck } from './dnsCheck/command.ts';
import { letReaderStop } from './terminal/terminal.ts';

letReaderStop();
process.exitCode = await dnsCheck(process.argv.slice(2));

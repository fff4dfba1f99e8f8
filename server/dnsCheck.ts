import { dnsCheck } from './cli/dnsCheck/command.ts';
import { letReaderStop } from './cli/terminal/letReaderStop.ts';

/** To a monitor, too, that nothing is known. */
const EXIT_UNKNOWN = 3;

letReaderStop(EXIT_UNKNOWN);
process.exitCode = await dnsCheck(process.argv.slice(2));

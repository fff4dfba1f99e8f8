import './olderNode.ts';
import '../cliDnsCheck.ts';

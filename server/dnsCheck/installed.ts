import './polyfills.ts';
import '../cliDnsCheck.ts';

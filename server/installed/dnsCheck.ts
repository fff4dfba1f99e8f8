import '../dnsCheck/polyfills.ts';
import '../cliDnsCheck.ts';

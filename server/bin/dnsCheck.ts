import '../cli/dnsCheck/polyfills.ts';
import '../dnsCheck.ts';

const HEADER_SIZE = 12;
const POINTERS_MAX = 128;
const DOT = 0x2e;
/** Offset of the name in the data of each type. An MX begins with its preference. */
const NAME_AT: Readonly<Record<number, number>> = { 2: 0, 5: 0, 15: 2 };

type WireName = { labels: Buffer[]; end: number };

/**
 * Names in CNAME, MX and NS records of the answer section that have a dot inside a label, by index of the record,
 * escaped as in zone files: `k1\.example.com`. The codec joins labels with dots, so that such a name would look like
 * another one. Empty for a malformed packet.
 */
export function readEscapedNames(packet: Buffer): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  const answers = packet.readUInt16BE(6);
  let at = endOf(packet, HEADER_SIZE) + 4;
  for (let index = 0; index < answers; index++) {
    const data = endOf(packet, at) + 10;
    if (Number.isNaN(data) || data > packet.length) return names;
    const offset = NAME_AT[packet.readUInt16BE(data - 10)];
    const { labels } = offset === undefined ? { labels: [] } : (nameAt(packet, data + offset) ?? { labels: [] });
    if (labels.some((label) => label.includes(DOT))) names.set(index, formatEscapedName(labels));
    at = data + packet.readUInt16BE(data - 2);
  }
  return names;
}

function formatEscapedName(labels: readonly Buffer[]): string {
  return labels.map((label) => label.toString('utf8').replaceAll(/[.\\]/g, '\\$&')).join('.');
}

function endOf(packet: Buffer, at: number): number {
  return nameAt(packet, at)?.end ?? Number.NaN;
}

function nameAt(packet: Buffer, start: number): WireName | null {
  const labels: Buffer[] = [];
  let at = start;
  let end: number | null = null;
  for (let pointers = 0; pointers <= POINTERS_MAX;) {
    const length = packet[at];
    if (length === undefined) return null;
    if (length === 0) return { labels, end: end ?? at + 1 };
    if (length < 0x40) {
      labels.push(packet.subarray(at + 1, at + 1 + length));
      at += 1 + length;
      if (labels.length > POINTERS_MAX) return null;
    } else {
      const next = packet[at + 1];
      if (length < 0xc0 || next === undefined) return null;
      end ??= at + 2;
      at = ((length & 0x3f) << 8) | next;
      pointers++;
    }
  }
  return null;
}

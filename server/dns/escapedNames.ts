const HEADER_SIZE = 12;
const POINTERS_MAX = 128;
const DOT = 0x2e;
/** Where the name is in the data of such a record: MX has a preference before it. */
const NAME_AT: Readonly<Record<number, number>> = { 2: 0, 5: 0, 15: 2 };

type WireName = { labels: Buffer[]; end: number };

/**
 * The names in CNAME, MX and NS records of the answer section that have a dot in a label, by the place of the record, as zone
 * files write them: `k1\.example.com`. The codec joins labels with dots, so that such a name looks like another one. Empty
 * for a packet that cannot be read.
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

/** Where the name at `at` ends; NaN where it cannot be read. */
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

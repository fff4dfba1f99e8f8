/** Bytes. Half a million addresses are less. */
export const SIZE_MAX = 20 * 1024 * 1024;

const SAVE_OR_COPY = 'Save a mail as .eml and a sheet as CSV, or copy and paste the text.';
const UNUSABLE = [
  { start: [0x50, 0x4b], is: 'a spreadsheet or archive. Save the sheet as CSV, or copy the column and paste it.' },
  { start: [0xd0, 0xcf, 0x11, 0xe0], is: `a file of Outlook or an old Office. ${SAVE_OR_COPY}` },
  { start: [0x25, 0x50, 0x44, 0x46], is: 'a PDF. Copy and paste its text.' },
  { start: [0x7b, 0x5c, 0x72, 0x74, 0x66], is: 'a text with formatting (RTF). Copy and paste its text.' },
];

/** The message is for the user. */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';
}

type FileText = { text: string; isWindows: boolean };

export async function readFile(file: File): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > SIZE_MAX) {
    throw new UnusableFileError(
      `${file.name} is larger than 20 MB. Split it, save only the column with the contacts’ emails or IDs, or save the mail without its attachments.`,
    );
  }
  return new Uint8Array(await file.arrayBuffer());
}

/** UTF-16 with a byte order mark, else UTF-8, else Windows-1252. Throws `UnusableFileError`. */
export function decodeText(name: string, bytes: Uint8Array): FileText {
  const unusable = UNUSABLE.find(({ start }) => startsWith(bytes, start));
  if (unusable !== undefined) throw new UnusableFileError(`${name} is ${unusable.is}`);
  const decoded = decode(bytes);
  if (decoded.text.includes('\u0000')) throw new UnusableFileError(`${name} isn’t a text file.`);
  return decoded;
}

const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, index) => bytes[index] === byte);

function decode(bytes: Uint8Array): FileText {
  if (startsWith(bytes, [0xff, 0xfe])) return { text: new TextDecoder('utf-16le').decode(bytes), isWindows: false };
  if (startsWith(bytes, [0xfe, 0xff])) return { text: new TextDecoder('utf-16be').decode(bytes), isWindows: false };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isWindows: false };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Spreadsheets save CSV in the computer's code page. ASCII, and so most addresses, is the same in all.
    return { text: new TextDecoder('windows-1252').decode(bytes), isWindows: true };
  }
}

/** Bytes. A spreadsheet column of half a million addresses is smaller. */
const SIZE_MAX = 20 * 1024 * 1024;

/** A file or text that cannot be read as a list. The message is shown to the user. */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';
}

/** Reads the text of a file in chunks. `onProgress` is called with shares of 1. Throws `UnusableFileError`. */
export async function readFile(file: File, onProgress: (share: number) => void): Promise<string> {
  if (file.size > SIZE_MAX) {
    throw new UnusableFileError(
      `${file.name} is larger than 20 MB. Split it, or save only the column that names the contacts.`,
    );
  }
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (head[0] === 0x50 && head[1] === 0x4b) {
    throw new UnusableFileError(
      `${file.name} is a spreadsheet or archive. Save the sheet as CSV, or copy the column and paste it.`,
    );
  }
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isUtf16) return decode(file, new TextDecoder(head[0] === 0xff ? 'utf-16le' : 'utf-16be'), onProgress);
  try {
    return await decode(file, new TextDecoder('utf-8', { fatal: true }), onProgress);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Spreadsheets save CSV in the code page of the computer. ASCII, and so most addresses, is the same in all code pages.
    return decode(file, new TextDecoder('windows-1252'), onProgress);
  }
}

async function decode(file: File, decoder: TextDecoder, onProgress: (share: number) => void): Promise<string> {
  const reader = file.stream().getReader();
  const parts: string[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    parts.push(decoder.decode(value, { stream: !done }));
    if (done) break;
    size += value.byteLength;
    onProgress(size / file.size);
  }
  const text = parts.join('');
  if (text.includes('\u0000')) throw new UnusableFileError(`${file.name} is not a text file.`);
  return text;
}

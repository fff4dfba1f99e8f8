/** Hands a file over to be saved. */
export function saveFile(name: string, type: string, parts: string[]): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: some browsers begin to read it a little later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

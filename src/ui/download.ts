/** Has the browser save `content` under `name`. */
export function download(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser needs the URL only until the download has started.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Has the browser save `content` under `name`. */
export function download(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser needs the URL only until the download has started.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

type WritableFile = {
  write: (text: string) => Promise<void>;
  /** Saves the file, which is empty before. */
  close: () => Promise<void>;
  /** Discards what was written. */
  discard: () => Promise<void>;
};

type Writable = { write: (text: string) => Promise<void>; close: () => Promise<void>; abort: () => Promise<void> };
type Handle = { createWritable: () => Promise<Writable> };
// Not in the types of TypeScript: Firefox and Safari do not have it.
type PickerWindow = { showSaveFilePicker?: (options: { suggestedName: string }) => Promise<Handle> };

/**
 * Opens a file that the user chooses. Where the browser has no file picker, the file is downloaded when it is closed.
 * Null when the user chose none. Must be called right after a click, which the picker requires.
 */
export async function openFile(name: string, type: string): Promise<WritableFile | null> {
  const pick = (window as PickerWindow).showSaveFilePicker;
  if (pick === undefined) return openDownload(name, type);
  try {
    const handle = await pick.call(window, { suggestedName: name });
    const writable = await handle.createWritable();
    return {
      write: (text) => writable.write(text),
      close: () => writable.close(),
      discard: () => writable.abort(),
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
}

function openDownload(name: string, type: string): WritableFile {
  let parts: Blob[] = [];
  return {
    // A browser may keep a Blob on disk, but not a string.
    write: async (text) => void parts.push(new Blob([text])),
    close: async () => download(name, new Blob(parts, { type })),
    discard: async () => {
      parts = [];
    },
  };
}

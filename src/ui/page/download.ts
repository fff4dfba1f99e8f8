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
  close: () => Promise<void>;
  discard: () => Promise<void>;
};

type Writable = { write: (text: string) => Promise<void>; close: () => Promise<void>; abort: () => Promise<void> };
type Handle = { createWritable: () => Promise<Writable> };
// Firefox and Safari don't have it.
type PickerWindow = { showSaveFilePicker?: (options: { suggestedName: string }) => Promise<Handle> };

/** Opens a file that the user chooses, null if none, or downloads it on close. Call it in a click: the picker requires one. */
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

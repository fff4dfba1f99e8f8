import { download } from '../ui/download.ts';

/** A file being written. */
export type WritableFile = {
  write: (text: string) => Promise<void>;
  /** Nothing is in the file before this. */
  close: () => Promise<void>;
  /** Gives up what was written. */
  discard: () => Promise<void>;
};

type Writable = { write: (text: string) => Promise<void>; close: () => Promise<void>; abort: () => Promise<void> };
type Handle = { createWritable: () => Promise<Writable> };
// TypeScript does not know it yet: Firefox and Safari have no such thing.
type PickerWindow = { showSaveFilePicker?: (options: { suggestedName: string }) => Promise<Handle> };

/**
 * Opens a file of the user's choice that is written as it goes, or else one that the browser downloads when it is closed.
 * Null when the user chose none. Must be called right after a click.
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
    // A browser may keep a Blob on disk, but not a text.
    write: async (text) => void parts.push(new Blob([text])),
    close: async () => download(name, new Blob(parts, { type })),
    discard: async () => {
      parts = [];
    },
  };
}

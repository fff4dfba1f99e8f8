import { useState, type DragEvent } from 'react';

/** `isOver`: something is dragged over the element with these handlers. */
export function useFileDrop(onFile: (file: File) => void) {
  const [isOver, setIsOver] = useState(false);
  return {
    isOver,
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      setIsOver(false);
      if (file === undefined) return;
      event.preventDefault();
      onFile(file);
    },
  };
}

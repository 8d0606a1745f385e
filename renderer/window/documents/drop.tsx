// Files from elsewhere, dropped onto the view, are copied into the folder that is shown. While the view is there a file that
// misses it is dropped nowhere: a browser would go to it and leave the window.

import { useEffect, useRef, useState, type DragEvent, type ReactNode } from 'react';
import { Icon } from '../parts/icon.tsx';

export interface DropAreaProps {
  /** `Drop to copy into “Finance”`. */
  label: string;
  isDisabled: boolean;
  onDropped(files: File[]): void;
  children: ReactNode;
}

export function DropArea(props: DropAreaProps) {
  const area = useRef<HTMLDivElement>(null);
  const [isOver, setIsOver] = useState(false);

  useEffect(() => {
    const keepHere = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
    };
    window.addEventListener('dragover', keepHere);
    window.addEventListener('drop', keepHere);
    return () => {
      window.removeEventListener('dragover', keepHere);
      window.removeEventListener('drop', keepHere);
    };
  }, []);

  const isMeant = (event: DragEvent) => !props.isDisabled && event.dataTransfer.types.includes('Files');
  return (
    <div
      ref={area}
      className="documents-drop-area"
      onDragEnter={(event) => {
        if (isMeant(event)) setIsOver(true);
      }}
      onDragOver={(event) => {
        if (!isMeant(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node) || area.current?.contains(to) !== true) setIsOver(false);
      }}
      onDrop={(event) => {
        setIsOver(false);
        if (!isMeant(event)) return;
        event.preventDefault();
        props.onDropped([...event.dataTransfer.files]);
      }}
    >
      {props.children}
      {isOver && (
        <div className="documents-drop" role="status">
          <div className="documents-drop-words">
            <Icon name="download" size={28} />
            {props.label}
          </div>
        </div>
      )}
    </div>
  );
}

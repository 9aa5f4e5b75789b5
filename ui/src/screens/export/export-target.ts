import { saveFile } from '../../components/save-file.ts';

/** Its name, and its media type. */
interface TargetFile {
  readonly name: string;
  readonly type: string;
}

/** Where an export goes. */
export interface ExportTarget {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** All is there. */
  close(): Promise<void>;
  /** What was written is thrown away. */
  discard(): Promise<void>;
}

declare global {
  interface Window {
    /** Not in every browser. */
    readonly showSaveFilePicker?: (options: {
      readonly suggestedName: string;
    }) => Promise<FileSystemFileHandle>;
  }
}

/** A file that the operator chooses, where the browser can write to one, else one that is saved when all is there; undefined if he chooses none. */
export async function chooseTarget({ name, type }: TargetFile): Promise<ExportTarget | undefined> {
  if (window.showSaveFilePicker === undefined) return collectedFile({ name, type });
  try {
    const handle = await window.showSaveFilePicker({ suggestedName: name });
    const file = await handle.createWritable();
    return {
      write: (bytes) => file.write(bytes),
      close: () => file.close(),
      discard: () => file.abort(),
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

function collectedFile({ name, type }: TargetFile): ExportTarget {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  return {
    async write(bytes) {
      parts.push(bytes);
    },
    async close() {
      saveFile(new Blob(parts, { type }), name);
    },
    async discard() {
      parts.length = 0;
    },
  };
}

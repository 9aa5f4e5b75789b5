import { csvLine } from '../../../components/csv-line.ts';
import type { Failure } from './entries.ts';

/** Characters that are collected before they leave the memory of the page. */
const portion = 1024 * 1024;

/** A file that grows; browsers keep large ones on disk. */
class GrowingFile {
  readonly #parts: Blob[] = [];
  #text = '';

  add(text: string): void {
    this.#text += text;
    if (this.#text.length > portion) this.#flush();
  }

  blob(type: string): Blob {
    this.#flush();
    return new Blob(this.#parts, { type });
  }

  #flush(): void {
    if (this.#text !== '') this.#parts.push(new Blob([this.#text]));
    this.#text = '';
  }
}

/** The failed statements of an upload, and why they failed, both to be downloaded. */
export class FailureFiles {
  readonly #statements = new GrowingFile();
  readonly #reasons = new GrowingFile();
  #count = 0;

  constructor() {
    this.#reasons.add(csvLine(['number', 'row', 'line', 'id', 'path', 'message', 'section']));
  }

  add({ index, line, id = '', text, reasons }: Failure): void {
    this.#count += 1;
    this.#statements.add(`${onOneLine(text)}\n`);
    for (const { path, message, section = '' } of reasons) {
      this.#reasons.add(csvLine([this.#count, index, line, id, path, message, section].map(String)));
    }
  }

  /** NDJSON: the texts as they are, one a line, ready to be mended and uploaded again. */
  statements(): Blob {
    return this.#statements.blob('application/x-ndjson');
  }

  /** CSV: the reasons, each with the line of the statement in the other file and its place in the uploaded one. */
  reasons(): Blob {
    return this.#reasons.blob('text/csv');
  }
}

/** Line ends stand between the tokens of JSON only. */
function onOneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ');
}

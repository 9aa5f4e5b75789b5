/** Lets the browser save the content under the name. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  download(address, name);
  // The browser has the content by then; it is freed once the download has begun.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Lets the browser download what is at the address. */
export function download(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

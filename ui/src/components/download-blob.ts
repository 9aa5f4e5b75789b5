/** Lets the browser save a file that the page has made. */
export function downloadBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  downloadUrl(url, name);
  // The browser takes the file some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Lets the browser download an address. */
export function downloadUrl(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

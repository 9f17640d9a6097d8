/** Files that the reader downloads. Nothing leaves the browser. */

export function saveFile(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun when the next task runs.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Twice the size of the drawing, for slides. */
const SCALE = 2;

/** Draws an SVG document on a canvas. */
export async function savePng(name: string, svg: string, background: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = SCALE * image.naturalWidth;
    canvas.height = SCALE * image.naturalHeight;
    const context = canvas.getContext('2d');
    if (context === null) return;
    context.fillStyle = background;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (blob !== null) saveFile(name, 'image/png', blob);
  } finally {
    URL.revokeObjectURL(url);
  }
}

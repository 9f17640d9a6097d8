import { say } from './toast.tsx';

/** Copies a text, and says so. Without access to the clipboard the reader gets the text to copy it by hand. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied.`);
  } catch {
    prompt(`${what}:`, text);
  }
}

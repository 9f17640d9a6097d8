import { signal } from '@preact/signals';

const SHOWN_MS = 2500;
const text = signal('');
let timer = 0;

/** Says briefly that something was done, such as a link that was copied. */
export function say(message: string): void {
  text.value = message;
  clearTimeout(timer);
  timer = setTimeout(() => {
    text.value = '';
  }, SHOWN_MS);
}

export function Toast() {
  return <div role="status">{text.value !== '' && <div class="toast">{text.value}</div>}</div>;
}

/** Presenter mode: full screen, and a second window with notes that follows the first. */
import { type LessonPlace, placeParameters } from '../../model/lessons/lesson-place.ts';
import { linkTo, navigate } from '../shell/router.ts';

/** What the two windows tell each other. */
export type PresenterMessage =
  | { readonly type: 'at'; readonly place: LessonPlace }
  /** Asked by a window of notes that has just been opened. */
  | { readonly type: 'where' }
  | { readonly type: 'go'; readonly by: 1 | -1 };

const CHANNEL = 'hustings.presenter';

/** The channel between the windows of one browser. Close it at the end. */
export function openChannel(onMessage: (message: PresenterMessage) => void): {
  readonly send: (message: PresenterMessage) => void;
  readonly close: () => void;
} {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<PresenterMessage>) => onMessage(data);
  return { send: (message) => channel.postMessage(message), close: () => channel.close() };
}

export function startPresenting(): void {
  navigate({ extra: { present: '1' } });
  // Where full screen is refused, the window is large enough.
  document.documentElement.requestFullscreen?.().catch(() => {});
}

export function stopPresenting(): void {
  navigate({ extra: { present: undefined } });
  if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => {});
}

export function openNotes(place: LessonPlace): void {
  open(
    linkTo({ extra: { ...placeParameters(place), present: undefined, notes: '1' } }),
    'hustings-notes',
    'width=640,height=720',
  );
}

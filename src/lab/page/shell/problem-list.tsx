import { Button } from './button.tsx';
import { problems } from './router.ts';

/** A link may contain anything: of a long value the beginning is enough. */
const MOST_TEXT = 240;

/** The parameters of the link that were not used. */
export function ProblemList() {
  if (problems.value.length === 0) return null;
  return (
    <div class="shell-problems" role="alert">
      {problems.value.map(({ parameter, text }) => (
        <p key={parameter}>{text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text}</p>
      ))}
      <Button
        kind="plain"
        onClick={() => {
          problems.value = [];
        }}
      >
        Dismiss
      </Button>
    </div>
  );
}

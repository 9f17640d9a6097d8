import { Button } from './button.tsx';
import { problems } from './router.ts';

/** The parameters of the link that were not used. */
export function ProblemList() {
  if (problems.value.length === 0) return null;
  return (
    <div class="shell-problems" role="alert">
      {problems.value.map(({ parameter, text }) => (
        <p key={parameter}>{text}</p>
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

import { twins } from '@hustings/study/algorithms';
import { puzzleState } from '../../model/check/twin-search.ts';
import { encodeLink } from '../../model/setup/url-state.ts';

/** The wrong twins, as puzzles. */
export function Puzzles() {
  return (
    <details class="puzzles">
      <summary>{`Puzzles: ${twins.length} algorithms with one wrong line`}</summary>
      <ul>
        {twins.map((twin) => (
          <li key={twin.name}>
            <a href={encodeLink(puzzleState(twin))}>{twin.algorithm.title}</a>
            <pre>
              <code>{twin.line[1].trim()}</code>
            </pre>
          </li>
        ))}
      </ul>
    </details>
  );
}

import { describe, expect, it } from 'vitest';
import {
  cycles,
  impureImports,
  internalImports,
  librariesInPureLayers,
  missingTargets,
  nodeCodeInBrowser,
  unknownLayers,
  upwardArrows,
} from './arrows.ts';
import budgets from './budgets.json' with { type: 'json' };
import { readSources } from './source-file.ts';

const files = readSources();
const file = (path: string, text: string) => ({ path, text });

describe('the imports of the packages', () => {
  it('are read from a tree with files', () => expect(files.length).toBeGreaterThan(0));
  it('are between folders of the table', () => expect(unknownLayers(files)).toEqual([]));
  it('point downwards', () => expect(upwardArrows(files)).toEqual([]));
  it('name no library and no module of Node in pure layers', () => {
    expect(librariesInPureLayers(files)).toEqual([]);
  });
  it('of pure layers lead to pure layers', () => expect(impureImports(files)).toEqual([]));
  it('of the page of the lab lead to what a browser can run', () =>
    expect(nodeCodeInBrowser(files)).toEqual([]));
  it('past the doors of other packages are no more than test/source/budgets.json allows', () => {
    const counts = internalImports(files);
    expect(Object.keys(counts).sort()).toEqual(Object.keys(budgets.internalImports).sort());
    for (const [pair, limit] of Object.entries(budgets.internalImports)) {
      expect(counts[pair], pair).toBeLessThanOrEqual(limit);
    }
  });
  it('name files that exist', () => expect(missingTargets(files)).toEqual([]));
  it('form no cycle', () => expect(cycles(files)).toEqual([]));
});

describe('the reader of imports finds', () => {
  it('a folder that is not in the table', () => {
    expect(unknownLayers([file('packages/study/src/attic/box.ts', '')])).toEqual([
      'study/attic is not in the table: add it to ARROWS in test/source/arrows.ts',
    ]);
  });

  it.each([
    ["import { run } from '../simulator/run.ts';"],
    ["import type { Run } from '../simulator/run.ts';"],
    ["import {\n  a,\n  b as c,\n} from '../simulator/run.ts';"],
    ["export * from '../simulator/run.ts';"],
    ["export type { Run } from '../simulator/run.ts';"],
    ["import '../simulator/run.ts';"],
    ["import { run } from '@hustings/study/simulator';"],
    ["import { run } from '@hustings/study/internal/simulator/run';"],
    ["const run = await import('../simulator/run.ts');"],
    ["const address = new URL('../simulator/run.ts', import.meta.url);"],
  ])('an arrow that points up: %s', (text) => {
    expect(upwardArrows([file('packages/study/src/kernel/field.ts', text)])).toEqual([
      expect.stringMatching(
        /^packages\/study\/src\/kernel\/field\.ts:\d imports study\/simulator, which study\/kernel may not$/,
      ),
    ]);
  });

  it('page code in the server of the lab, and Node code in its page', () => {
    const server = file('packages/lab/src/server/lab-server.ts', "import '../page/main.tsx';");
    const page = file('packages/lab/src/page/main.tsx', "import '../server/lab-server.ts';");
    expect(upwardArrows([server, page])).toEqual([
      'packages/lab/src/server/lab-server.ts:1 imports lab/page, which lab/server may not',
      'packages/lab/src/page/main.tsx:1 imports lab/server, which lab/page may not',
    ]);
  });

  it('an import from outside the packages', () => {
    expect(
      upwardArrows([file('packages/hustings/src/cli/main.ts', "import '../../test/x.ts';")]),
    ).toHaveLength(1);
  });

  it('no violation in a comment, in a string, or in a downward import', () => {
    const text = `// import '../simulator/run.ts';\nconst a = "import x from '../simulator/run.ts'";`;
    expect(upwardArrows([file('packages/study/src/kernel/field.ts', text)])).toEqual([]);
    expect(
      upwardArrows([file('packages/study/src/simulator/run.ts', "import '../kernel/field.ts';")]),
    ).toEqual([]);
  });

  it.each(["import { readFileSync } from 'node:fs';", "import chalk from 'chalk';"])(
    'a library in a pure layer: %s',
    (text) => {
      expect(librariesInPureLayers([file('packages/study/src/simulator/run.ts', text)])).toHaveLength(1);
      expect(librariesInPureLayers([file('packages/hustings/src/cli/main.ts', text)])).toEqual([]);
    },
  );

  it('an import that leaves a pure folder within an impure layer', () => {
    const core = file(
      'packages/hustings/src/lease/core/row.ts',
      "import '../store.ts';\nimport 'node:fs';\nimport './end-reason.ts';",
    );
    expect(librariesInPureLayers([core])).toHaveLength(1);
    expect(impureImports([core])).toEqual([
      'packages/hustings/src/lease/core/row.ts:1 imports packages/hustings/src/lease/store.ts, which is not pure',
    ]);
    expect(
      librariesInPureLayers([file('packages/hustings/src/lease/store.ts', "import 'node:fs';")]),
    ).toEqual([]);
  });

  it('Node code in what a browser runs', () => {
    const page = file(
      'packages/lab/src/page/main.tsx',
      "import 'hustings/internal/lease/store-url';\nimport 'node:fs';\nimport 'preact';",
    );
    expect(nodeCodeInBrowser([page])).toEqual([
      'packages/lab/src/page/main.tsx:1 imports packages/hustings/src/lease/store-url.ts, which a browser cannot run',
      'packages/lab/src/page/main.tsx:2 imports node:fs, which a browser cannot run',
    ]);
  });

  it('imports past the doors of another package', () => {
    const text =
      "import 'hustings/internal/a';\nimport '@hustings/study/internal/b/c';\nimport 'hustings/lease';";
    expect(internalImports([file('packages/cluster/src/x.ts', text)])).toEqual({
      'cluster → hustings': 1,
      'cluster → study': 1,
    });
  });

  it('a missing file', () => {
    expect(missingTargets([file('packages/hustings/src/cli/main.ts', "import './gone.ts';")])).toHaveLength(
      1,
    );
  });

  it('a cycle, once', () => {
    const circle = [
      file('packages/study/src/kernel/a.ts', "import './b.ts';"),
      file('packages/study/src/kernel/b.ts', "import './c.ts';"),
      file('packages/study/src/kernel/c.ts', "import './a.ts';"),
    ];
    expect(cycles(circle)).toEqual([
      'packages/study/src/kernel/a.ts → packages/study/src/kernel/b.ts → packages/study/src/kernel/c.ts → packages/study/src/kernel/a.ts',
    ]);
  });
});

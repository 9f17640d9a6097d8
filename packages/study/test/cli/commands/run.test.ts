import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hustings, temporaryFolder } from '../../../../../test-kit/command.ts';

const folder = temporaryFolder();
const write = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);
const run = (...args: string[]) => hustings(['run', ...args], folder.path);

describe('hustings run', () => {
  it('runs TypeScript with imports of hustings and of other files, top-level await and arguments', () => {
    write('part.ts', 'export enum Order { Up = "ascending" }\n');
    write(
      'whole.ts',
      `import { changRoberts } from '@hustings/study/algorithms';
       import { simulate, type Outcome } from '@hustings/study/simulator';
       import { Order } from './part.ts';
       const run: Outcome = await Promise.resolve(simulate(changRoberts, { nodes: 5, order: Order.Up }));
       console.log(run.messages.election, process.argv.slice(2).join());
       process.exitCode = 7;\n`,
    );
    expect(run('whole.ts', 'one', '--json')).toEqual({ status: 7, stdout: '9 one,--json\n', stderr: '' });
  });

  it('shows the line of an error that the program does not catch, and exits with 1', () => {
    write('fails.ts', 'const text: string = "no";\n\nthrow new Error(text);\n');
    const { status, stderr } = run('fails.ts');
    expect(stderr).toMatch(/Error: no\n.*fails\.ts:3:\d+/);
    expect(status).toBe(1);
  });

  it('shows the place of a syntax error', () => {
    write('broken.ts', 'const text: = 1;\n');
    expect(run('broken.ts').stderr).toBe('hustings: broken.ts:1:13: Unexpected "="\n');
  });

  it('compiles as the nearest tsconfig.json says, and the one that it extends', () => {
    mkdirSync(join(folder.path, 'decorated'));
    write('base.json', '{ "compilerOptions": { "experimentalDecorators": true } }\n');
    write('decorated/tsconfig.json', '{ "extends": "../base.json" } // as editors read it\n');
    const program = `const mark = (target: object, _name: string | undefined, index: number) => console.log(typeof target, index);
      class Service { constructor(@mark readonly name: string) {} }
      console.log(new Service("a").name);\n`;
    write('decorated/service.ts', program);
    write('service.ts', program);
    expect(run('decorated/service.ts')).toEqual({ status: 0, stdout: 'function 0\na\n', stderr: '' });
    expect(run('service.ts').stderr).toContain('experimental decorators');
  });

  it('exits with 2 if there is no such file', () => {
    const { status, stderr } = run('none.ts');
    expect(stderr).toBe("hustings: 'none.ts' must be a file with a program: correct the path\n");
    expect(status).toBe(2);
  });
});

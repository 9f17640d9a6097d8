/** The frame of all pages: header, tabs, commands. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { commandLineOf } from '../../model/setup/command-line.ts';
import { DEFAULT_SETUP } from '../../model/setup/lab-setup.ts';
import { PAGES } from '../../model/setup/url-state.ts';
import { type LabAction, useActions } from './actions.ts';
import { Button } from './button.tsx';
import { CommandPalette } from './command-palette.tsx';
import { copyText } from './copy.ts';
import { isEmbedded } from './embed.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Help } from './help.tsx';
import { keyText } from './keys.ts';
import { PAGE_ENTRIES, Page } from './pages.tsx';
import { linkTo, navigate, problems, route, setup } from './router.ts';
import { chooseTheme } from './theme.ts';
import { Toast } from './toast.tsx';

const open = signal<'commands' | 'help' | null>(null);
const close = (): void => {
  open.value = null;
};
const show = (dialog: 'commands' | 'help') => (): void => {
  open.value = dialog;
};

const copyLink = (): void => void copyText(location.href, 'Link');

const ACTIONS: readonly LabAction[] = [
  ...PAGES.map((page) => ({
    id: `page.${page}`,
    title: `Go to ${PAGE_ENTRIES[page].title}`,
    keys: [`G ${PAGE_ENTRIES[page].key}`],
    run: () => navigate({ page }),
  })),
  { id: 'shell.commands', title: 'Commands', keys: ['Mod+K'], run: show('commands') },
  { id: 'shell.help', title: 'Keys', keys: ['?'], run: show('help') },
  { id: 'shell.copy-link', title: 'Copy link', run: copyLink },
  {
    id: 'shell.copy-command',
    title: 'Copy the setup as a command line',
    run: () => void copyText(commandLineOf(setup.peek()), 'Command'),
  },
  {
    id: 'shell.default',
    title: 'Start with the default setup',
    run: () => navigate({ setup: DEFAULT_SETUP }),
  },
  { id: 'theme.light', title: 'Light theme', run: () => chooseTheme('light') },
  { id: 'theme.dark', title: 'Dark theme', run: () => chooseTheme('dark') },
  { id: 'theme.system', title: 'Theme of the system', run: () => chooseTheme('system') },
];

export function Shell() {
  useActions(ACTIONS);
  const page = route.value;
  useEffect(() => {
    document.title = `${PAGE_ENTRIES[page].title} · hustings`;
  }, [page]);
  return (
    <div class="shell" data-embed={isEmbedded.value || undefined}>
      {!isEmbedded.value && <Header />}
      <main class="shell-main" id="main" tabIndex={-1}>
        <ProblemList />
        <ErrorBoundary key={page}>
          <Page name={page} />
        </ErrorBoundary>
      </main>
      {open.value === 'commands' && <CommandPalette onClose={close} />}
      {open.value === 'help' && <Help onClose={close} />}
      <Toast />
    </div>
  );
}

function Header() {
  return (
    <header class="shell-header">
      {/* A button, because the fragment of the address is the state of the lab. */}
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the page
      </button>
      <a class="brand" href="#/run">
        <Logo />
        hustings
      </a>
      <nav class="tabs" aria-label="Pages">
        {PAGES.map((page) => {
          const { title } = PAGE_ENTRIES[page];
          return (
            <a
              key={page}
              class="tab"
              href={linkTo({ page })}
              data-text={title}
              aria-current={page === route.value ? 'page' : undefined}
            >
              {title}
            </a>
          );
        })}
      </nav>
      <div class="shell-commands">
        <Button kind="plain" onClick={copyLink}>
          Copy link
        </Button>
        <Button kind="plain" aria-keyshortcuts="Control+K Meta+K" onClick={show('commands')}>
          Commands{' '}
          <span aria-hidden="true">
            <kbd>{keyText('Mod+K')}</kbd>
          </span>
        </Button>
        <Button kind="plain" class="button only-wide" onClick={show('help')}>
          <span class="only-read">Keys</span>
          <span aria-hidden="true">
            <kbd>?</kbd>
          </span>
        </Button>
      </div>
    </header>
  );
}

function Logo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M7.5 9.5 5.8 15.2M8.2 18h7.6M16.5 9.5l1.7 5.7" />
      <circle cx="5.4" cy="17.6" r="2.6" />
      <circle cx="18.6" cy="17.6" r="2.6" />
      <path
        class="brand-star"
        d="m12 2.6 1.6 3.5 3.8.4-2.8 2.6.8 3.8-3.4-1.9-3.4 1.9.8-3.8-2.8-2.6 3.8-.4z"
      />
    </svg>
  );
}

/** A link may contain anything: of a long value the beginning is enough. */
const MAX_TEXT = 240;

/** The parameters of the link that were not used. */
function ProblemList() {
  if (problems.value.length === 0) return null;
  return (
    <div class="shell-problems" role="alert">
      {problems.value.map(({ parameter, text }) => (
        <p key={parameter}>{text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text}</p>
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

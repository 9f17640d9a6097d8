import { Component, type ComponentChildren } from 'preact';
import { DEFAULT_SETUP } from '../../model/setup/lab-setup.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { PageHeading } from './page-heading.tsx';
import { navigate } from './router.ts';

/** Shows the failure of a page in its place, with a way back. */
export class ErrorBoundary extends Component<{ readonly children: ComponentChildren }, { error?: Error }> {
  override state: { error?: Error } = {};

  static override getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const again = (): void => this.setState({ error: undefined as never });
    return (
      <>
        <PageHeading>This page failed.</PageHeading>
        <Notice kind="error" text={`${error.message}. The other pages still work.`}>
          <Button kind="main" onClick={again}>
            Try again
          </Button>
          <Button
            onClick={() => {
              navigate({ setup: DEFAULT_SETUP });
              again();
            }}
          >
            Start with the default setup
          </Button>
        </Notice>
      </>
    );
  }
}

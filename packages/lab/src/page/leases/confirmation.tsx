import { errorMessage } from '@hustings/base';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../shell/button.tsx';
import { Dialog } from '../shell/dialog.tsx';

export interface ConfirmationProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ComponentChildren;
  /** The verb on the button. */
  readonly verb: string;
  readonly isDisabled?: boolean;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Names the effect of a change before it is made. A refusal is shown in the dialog. */
export function Confirmation({
  title,
  children,
  verb,
  isDisabled = false,
  onConfirm,
  onClose,
}: ConfirmationProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (problem) {
      setError(errorMessage(problem));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="lease-dialog">
        {children}
        {error !== '' && (
          <p class="bad" role="alert">
            {error}
          </p>
        )}
        <div class="lease-dialog-buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" disabled={isBusy || isDisabled} onClick={() => void confirm()}>
            {verb}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

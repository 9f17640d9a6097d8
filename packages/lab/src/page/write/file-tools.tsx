import { algorithmFamilies } from '@hustings/study/algorithms';
import { Button } from '../shell/button.tsx';
import { Dialog } from '../shell/dialog.tsx';
import type { WriteStore } from './write-store.ts';

export interface FileToolsProps {
  readonly store: WriteStore;
  readonly onShare: () => void;
  readonly onDownload: () => void;
  readonly onDelete: () => void;
}

/** The files of this browser: open, begin, delete, share. */
export function FileTools({ store, onShare, onDownload, onDelete }: FileToolsProps) {
  const isLinked = store.linked.value !== null;
  const isSaved = store.isSaved.value;
  const deleted = store.deleted.value;
  return (
    <>
      <div class="write-tools" role="toolbar" aria-label="Files">
        <span class="caption">
          {isLinked ? 'Not saved yet' : isSaved ? 'Saved in this browser' : 'Saved when you edit it'}
        </span>
        <FileChoice store={store} />
        <StartChoice store={store} />
        <Button onClick={onShare}>Link to this code</Button>
        <Button onClick={onDownload}>Export .ts</Button>
        {isSaved && <Button onClick={onDelete}>Delete…</Button>}
      </div>
      <div role="status">
        {deleted !== null && (
          <p class="write-deleted">
            {deleted.name} was deleted. <Button onClick={() => store.restore()}>Undo</Button>
          </p>
        )}
      </div>
    </>
  );
}

export interface DeleteDialogProps {
  readonly store: WriteStore;
  readonly onClose: () => void;
}

/** Asks before the current file is deleted. */
export function DeleteDialog({ store, onClose }: DeleteDialogProps) {
  const confirm = (): void => {
    onClose();
    store.forget();
  };
  return (
    <Dialog title={`Delete ${store.file.value.name}?`} onClose={onClose}>
      <p>The file is saved in this browser only.</p>
      <div class="write-confirm">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" onClick={confirm}>
          Delete
        </Button>
      </div>
    </Dialog>
  );
}

function FileChoice({ store }: { readonly store: WriteStore }) {
  const files = store.files.value;
  if (files.length < 2) return null;
  return (
    <select
      class="field"
      aria-label="File"
      value={store.file.value.id}
      onChange={({ currentTarget }) => store.open(currentTarget.value)}
    >
      {files.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function StartChoice({ store }: { readonly store: WriteStore }) {
  return (
    <select
      class="field"
      aria-label="Start from"
      value=""
      onChange={({ currentTarget }) => {
        const { value } = currentTarget;
        currentTarget.value = '';
        if (value === 'my-first-election' || value === 'my-election') store.beginExample(value);
        else if (value !== '') void store.fork(value);
      }}
    >
      <option value="">Start from…</option>
      <optgroup label="Examples">
        <option value="my-first-election">A first idea, which fails</option>
        <option value="my-election">The same idea, repaired</option>
      </optgroup>
      {algorithmFamilies.map(({ algorithms, title }) => (
        <optgroup key={title} label={`Fork: ${title}`}>
          {algorithms.map(({ name, title: each }) => (
            <option key={name} value={name}>
              {each}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

import type { SetupEdit } from '../../model/setup/edit-setup.ts';

/** Makes an edit, or shows why it is refused. `close` also closes the panel if the edit is made. */
export type ApplyEdit = (edit: SetupEdit, options?: { readonly close?: boolean }) => void;

export interface EditorProps {
  readonly apply: ApplyEdit;
}

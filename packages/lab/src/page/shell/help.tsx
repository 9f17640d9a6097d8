import { allActions } from './actions.ts';
import { Dialog } from './dialog.tsx';
import { keyText, setSingleKeys, singleKeys } from './keys.ts';
import { TableHead } from './text-alternative.tsx';

/** The keys of this page. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  const actions = allActions.value().filter(({ keys }) => keys !== undefined && keys.length > 0);
  return (
    <Dialog title="Keys" onClose={onClose} class="help">
      <table class="table">
        <TableHead columns={['Key', 'Does']} isRead />
        <tbody>
          {actions.map(({ id, title, keys }) => (
            <tr key={id}>
              <td>
                {keys?.map((each, at) => (
                  <span key={each}>
                    {at > 0 && ' '}
                    <kbd>{keyText(each)}</kbd>
                  </span>
                ))}
              </td>
              <td>{title}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <label class="check">
          <input
            type="checkbox"
            checked={singleKeys.value}
            onChange={(event) => setSingleKeys(event.currentTarget.checked)}
          />{' '}
          Keys without Ctrl or ⌘ work
        </label>
      </p>
    </Dialog>
  );
}

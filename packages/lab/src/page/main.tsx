/** The entry of the page. */
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/controls.css';
import './style/print.css';
import { render } from 'preact';
import { startKeys } from './shell/keys.ts';
import { startRouter } from './shell/router.ts';
import { Shell } from './shell/shell.tsx';
import { startTheme } from './shell/theme.ts';

startRouter();
startTheme();
startKeys();
render(<Shell />, document.body);

import 'bootstrap/dist/css/bootstrap.min.css';
import './styles/console.css';
import { render } from 'preact';
import { renew } from './api/sign-in.ts';
import { App } from './shell/app.tsx';
import { applyTheme } from './shell/theme.ts';

applyTheme();
void renew();
render(<App />, document.querySelector('#console')!);

import 'bootstrap/dist/css/bootstrap.min.css';
import './styles/console.css';
import { render } from 'preact';
import { arrive } from './api/social.ts';
import { App } from './shell/app.tsx';
import { applyDensity } from './shell/density.ts';
import { applyTheme } from './shell/theme.ts';

applyTheme();
applyDensity();
void arrive();
render(<App />, document.querySelector('#console')!);

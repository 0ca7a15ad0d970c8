import { render } from 'preact';

import { App } from './app';
import { followRoute } from './route';
import { keepAsking, readStatus } from './server';

followRoute();
keepAsking();
void readStatus();
render(<App />, document.getElementById('app')!);

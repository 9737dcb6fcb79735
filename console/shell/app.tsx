import { Router } from 'wouter-preact';
import { signedIn } from '../api/sign-in.ts';
import { useHashPath, useHashSearch } from '../kit/location.ts';
import { Waiting } from '../kit/notices.tsx';
import { Frame } from './frame.tsx';
import { Places } from './places.tsx';
import { SignIn } from './sign-in-page.tsx';
import { SignUp, signupCode } from './sign-up-page.tsx';

export function App() {
  if (signedIn.value === 'unknown') return <Waiting />;
  const code = signupCode(location.hash);
  if (signedIn.value === 'no') return code ? <SignUp code={code} /> : <SignIn />;
  return (
    <Router hook={useHashPath} searchHook={useHashSearch}>
      <Frame>
        <Places />
      </Frame>
    </Router>
  );
}

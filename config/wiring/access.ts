import { accessRoutes } from '../../adapters/http/access/access-routes.ts';
import { auditRoutes } from '../../adapters/http/access/audit-routes.ts';
import { collaboratorRoleRoutes } from '../../adapters/http/access/collaborator-routes.ts';
import { emailRoutes } from '../../adapters/http/access/email-routes.ts';
import { groupRoutes } from '../../adapters/http/access/group-routes.ts';
import { invitationRoutes } from '../../adapters/http/access/invitation-routes.ts';
import { userRoutes } from '../../adapters/http/access/user-routes.ts';
import { ScimServer } from '../../adapters/scim/scim-server.ts';
import { Argon2Passwords } from '../../adapters/security/argon2-passwords.ts';
import { JwtTokenIssuer } from '../../adapters/security/jwt-token-issuer.ts';
import { NodeSecrets } from '../../adapters/security/node-secrets.ts';
import { AccessService } from '../../core/access/access-service.ts';
import { ApiKeyService } from '../../core/access/api-key-service.ts';
import { AuditService } from '../../core/access/audit/audit-service.ts';
import { AuditTrail } from '../../core/access/audit/audit-trail.ts';
import { Authorizer } from '../../core/access/authorizer.ts';
import { CollaboratorService } from '../../core/access/groups/collaborator-service.ts';
import { GroupMemberService } from '../../core/access/groups/group-member-service.ts';
import { GroupService } from '../../core/access/groups/group-service.ts';
import { InvitationService } from '../../core/access/invitation-service.ts';
import { CredentialCheck } from '../../core/access/login/credential-check.ts';
import type { PasswordHasher } from '../../core/access/login/identity.ts';
import { DEFAULT_LOGIN_LIMITS, LoginLimiter } from '../../core/access/login/login-limiter.ts';
import { LoginService } from '../../core/access/login/login-service.ts';
import { RateLimiter } from '../../core/access/login/rate-limiter.ts';
import { RecentPrincipals } from '../../core/access/login/recent-principals.ts';
import { SocialLogin } from '../../core/access/login/social-login.ts';
import { ProjectVisibility } from '../../core/access/project-visibility.ts';
import { GroupProvisioningService } from '../../core/access/provisioning/group-provisioning-service.ts';
import { UserProvisioningService } from '../../core/access/provisioning/user-provisioning-service.ts';
import { EmailVerificationService } from '../../core/access/users/email-verification-service.ts';
import { UserRemoval } from '../../core/access/users/user-removal.ts';
import { UserService } from '../../core/access/users/user-service.ts';
import { VerificationMails } from '../../core/access/users/verification-mails.ts';
import type { Given } from '../given.ts';
import { capability, factory, singleton, value } from './registration.ts';

type Secret = Pick<Given, 'accessTokenSecrets'>;

const HOUR_MS = 60 * 60_000;

export const access = capability({
  services: {
    tokenIssuer: factory(({ accessTokenSecrets }: Secret) => new JwtTokenIssuer(accessTokenSecrets)),
    passwordHasher: factory((): PasswordHasher => new Argon2Passwords()),
    secrets: singleton(NodeSecrets),
    loginLimits: value(DEFAULT_LOGIN_LIMITS),
    credentialCheck: singleton(CredentialCheck),
    loginLimiter: singleton(LoginLimiter),
    socialLogin: singleton(SocialLogin),
    projectVisibility: singleton(ProjectVisibility),
    recentPrincipals: singleton(RecentPrincipals),
    auditTrail: singleton(AuditTrail),
    authorizer: singleton(Authorizer),
    accessService: singleton(AccessService),
    loginService: singleton(LoginService),
    rateLimiter: singleton(RateLimiter),
    verificationMails: singleton(VerificationMails),
    emailVerificationService: singleton(EmailVerificationService),
    userRemoval: singleton(UserRemoval),
    userService: singleton(UserService),
    apiKeyService: singleton(ApiKeyService),
    collaboratorService: singleton(CollaboratorService),
    auditService: singleton(AuditService),
    groupService: singleton(GroupService),
    invitationService: singleton(InvitationService),
    groupMemberService: singleton(GroupMemberService),
    userProvisioningService: singleton(UserProvisioningService),
    groupProvisioningService: singleton(GroupProvisioningService),
    scimServer: singleton(ScimServer),
  },
  routes: [accessRoutes, emailRoutes, userRoutes, invitationRoutes, groupRoutes, collaboratorRoleRoutes, auditRoutes],
  background: [
    ({ loginService }: { loginService: LoginService }) => ({
      name: 'tidy up after logins',
      work: async () => {
        await loginService.tidy();
        return false;
      },
      idleDelayMs: HOUR_MS,
      everywhere: true,
    }),
  ],
});

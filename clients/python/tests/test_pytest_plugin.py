"""The fixture of the plugin; run by pytest alone."""


def test_the_fixture_is_a_client_of_the_service(touchstone):
    with touchstone.span("from a fixture"):
        pass
    assert touchstone.flush(60)
    assert touchstone.api.get_project(project_id=touchstone.project_id())["name"] == "tests"
